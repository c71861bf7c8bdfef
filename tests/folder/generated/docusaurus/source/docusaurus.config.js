const edit = { editUrl: 'https://github.com/example/docusaurus/edit/main/', editLocalizedFiles: true }

/** @type {import('@docusaurus/types').Config} */
const config = {
  title: 'Orchard manual',
  tagline: 'Trees and tools',
  url: 'https://orchard.example',
  baseUrl: '/manual/',
  onBrokenLinks: 'throw',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  presets: [
    [
      'classic',
      {
        docs: { routeBasePath: 'docs', ...edit },
        blog: { showReadingTime: false, feedOptions: { type: [] }, ...edit },
        pages: edit,
        theme: {}
      }
    ]
  ],
  plugins: [
    [
      '@docusaurus/plugin-client-redirects',
      { redirects: [{ from: '/docs/apples', to: '/docs/trees/apple' }] }
    ]
  ],
  themeConfig: {
    colorMode: { disableSwitch: true },
    navbar: { title: 'Orchard', items: [{ to: '/docs/', label: 'Manual' }, { to: '/blog', label: 'Diary' }] }
  }
}

export default config

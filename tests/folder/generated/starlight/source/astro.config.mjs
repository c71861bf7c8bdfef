import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'

export default defineConfig({
  site: 'https://lamps.example',
  base: '/lantern',
  redirects: {
    '/old-wick': '/lantern/care/wick/'
  },
  integrations: [
    starlight({
      title: { en: 'Lantern manual', de: 'Laternenhandbuch' },
      defaultLocale: 'root',
      locales: {
        root: { label: 'English', lang: 'en' },
        de: { label: 'Deutsch', lang: 'de' }
      },
      editLink: { baseUrl: 'https://github.com/example/starlight/edit/main/' },
      lastUpdated: false,
      pagefind: false,
      sidebar: [{ label: 'Care', autogenerate: { directory: 'care' } }, { slug: 'oil-and-gas' }]
    })
  ]
})

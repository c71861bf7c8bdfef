import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'Kettle manual',
  description: 'How to look after a kettle',
  base: '/kettle/',
  srcExclude: ['drafts/**', '**/README.md', 'parts/**'],
  lastUpdated: true,
  rewrites: {
    'packages/:name/notes/:page': 'notes/:name/:page'
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    de: { label: 'Deutsch', lang: 'de', description: 'Wie man einen Kessel pflegt' }
  },
  themeConfig: {
    editLink: { pattern: 'https://github.com/example/vitepress/edit/main/docs/:path' },
    nav: [{ text: 'Guide', link: '/guide/filling' }],
    sidebar: [
      { text: 'Filling', link: '/guide/filling' },
      { text: 'Limescale', link: '/guide/deep/limescale' }
    ]
  },
  sitemap: {
    hostname: 'https://tea.example/kettle/'
  }
})

// A theme of our own for `myst build --html`: heads, sitemap and robots.txt in the form that book-theme gives them.
const http = require('http')

const host = process.env.HOST || 'localhost'
const base = process.env.BASE_URL || ''
const own = `http://localhost:${process.env.PORT}`
const content = `http://localhost:${process.env.CONTENT_CDN_PORT}`
const json = async path => (await fetch(content + path)).json()
const escape = text => text.replace(/[&<>"]/g, letter => `&#${letter.codePointAt(0)};`)

const text = node => node.value ?? (node.children ?? []).map(text).join('')
const block = node =>
  node.type === 'paragraph'
    ? `<p>${(node.children ?? []).map(inline).join('')}</p>`
    : (node.children ?? []).map(block).join('')
const inline = node => (node.type === 'link' ? `<a href="${base}${node.url}">${escape(text(node))}</a>` : escape(text(node)))
const address = slug => '/' + slug.replace(/(^|\.)index$/, '').replaceAll('.', '/')

async function pages() {
  const project = (await json('/config.json')).projects[0]
  return { title: project.title, slugs: [project.index, ...project.pages.flatMap(page => page.slug ?? [])] }
}

async function render(path) {
  const { title, slugs } = await pages()
  const slug = slugs.find(each => address(each) === path || '/' + each === path)
  if (!slug) return null
  const page = await json(`/content/${slug}.json`)
  const name = escape(page.frontmatter.title ?? title) + (slug === slugs[0] ? '' : ` - ${escape(title)}`)
  const links = slugs.map(each => `<a href="${base}${address(each)}">${each}</a>`).join('')
  return `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><meta name="viewport" content="width=device-width,initial-scale=1"/><title>${name}</title><meta property="og:title" content="${name}"/><meta name="generator" content="mystmd"/><meta name="keywords" content=""/><link rel="icon" href="${base}/favicon.ico"/><link rel="stylesheet" href="${base}/myst-theme.css"/></head><body><nav>${links}</nav><main><article class="article content"><h1>${escape(page.frontmatter.title ?? title)}</h1>${block(page.mdast)}</article></main></body></html>\n`
}

const sitemap = async () =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet type="text/xsl" href="${own}/sitemap_style.xsl" ?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n` +
  (await pages()).slugs.map(slug => `  <url>\n    <loc>${own}${address(slug).replace(/^\/$/, '')}</loc>\n  </url>\n`).join('') +
  '</urlset>'

async function answer(path) {
  if (path === '/robots.txt') return `# https://www.robotstxt.org/robotstxt.html\n\nUser-agent: *\nAllow: /\nSitemap: ${own}/sitemap.xml\n`
  if (path === '/sitemap.xml') return await sitemap()
  if (path.endsWith('.json')) return JSON.stringify(await json(`/content${path}`))
  if (/\.\w+$/.test(path)) return ''
  return await render(path)
}

const server = http.createServer(async (request, response) => {
  const path = decodeURI(request.url.slice(request.url.startsWith(base + '/') ? base.length : 0))
  const body = await answer(path)
  response.statusCode = body === null ? 404 : 200
  response.end(body ?? '')
})
server.listen(Number(process.env.PORT), host, () => console.log(`Server started at ${own}`))

import Layout from '@theme/Layout'
import Link from '@docusaurus/Link'

export default function Home() {
  return (
    <Layout title="Home" description="Trees and tools">
      <main>
        <h1>Orchard manual</h1>
        <Link to="/docs/">Read the manual</Link>
      </main>
    </Layout>
  )
}

import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const CATALOGUES = new URL('../src/lib/messages/web-catalogues/', import.meta.url).pathname

/** The file of texts that only the administration needs. */
const ADMIN_FILE = 'admin.json'

/**
 * Makes `virtual:messages/de` a module with the texts of a language, so that a browser loads them by one request, and
 * `virtual:messages/de/admin` one with those of the administration. Texts with placeholders are parsed here, so that
 * browsers load no parser.
 */
function messages(): Plugin {
  const PREFIX = 'virtual:messages/'
  return {
    name: 'linnet-messages',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const [language = '', part] = id.slice(PREFIX.length + 1).split('/')
      const files = globSync(`${CATALOGUES}${language}/*.json`).filter(
        (file) => file.endsWith(`/${ADMIN_FILE}`) === (part === 'admin'),
      )
      for (const file of files) this.addWatchFile(file)
      const texts = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
      const parsed = Object.entries(Object.assign({}, ...texts) as Record<string, string>).map(([id, text]) => [
        id,
        text.includes('{') ? new IntlMessageFormat(text, language).getAst() : text,
      ])
      return `export default ${JSON.stringify(Object.fromEntries(parsed))}`
    },
  }
}

/** Files that are larger, and that the first page does not need, are cached when they are first used. */
const MAX_PRECACHED_BYTES = 100_000

/** Writes into the service worker which files the build has, so that it caches them before they are used. */
function serviceWorkerFiles(): Plugin {
  return {
    name: 'linnet-service-worker',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle).filter((file) => {
        if (!file.fileName.startsWith('assets/')) return false
        const content = file.type === 'chunk' ? file.code : file.source
        return (file.type === 'chunk' && file.isEntry) || content.length <= MAX_PRECACHED_BYTES
      })
      const paths = files.map(({ fileName }) => `/web/${fileName}`).toSorted()
      const worker = bundle['service-worker.js']
      if (worker?.type !== 'chunk') throw new Error('The build has no service worker')
      const id = createHash('sha256').update(paths.join()).digest('hex').slice(0, 16)
      worker.code = worker.code.replaceAll('BUILD_FILES', JSON.stringify(paths)).replaceAll('BUILD_ID', `"${id}"`)
    },
  }
}

export default defineConfig({
  base: '/web/',
  cacheDir: '../node_modules/.vite',
  resolve: {
    alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' },
  },
  plugins: [react(), messages(), serviceWorkerFiles()],
  build: {
    manifest: true,
    target: 'es2024',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { main: 'src/main.tsx', 'service-worker': 'src/service-worker/service-worker.ts' },
      output: {
        // Browsers update a service worker by its URL.
        // One file with all that the first page needs: browsers load one faster than thirty, and it compresses better.
        codeSplitting: { groups: [{ name: 'client', test: /\/web\/src\/main\.tsx$/ }] },
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
      checks: { pluginTimings: false },
    },
  },
})

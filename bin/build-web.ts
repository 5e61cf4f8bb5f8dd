import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { CLIENT_PAGES } from '../src/http/web-client/client-paths.ts'

// Builds the web client into `web/dist`. The server may run meanwhile: the finished build replaces the previous one.
// `--watch`: builds after each change.

const WEB = join(import.meta.dirname, '..', 'web')
const OUTPUT = join(WEB, 'dist')
const BROTLI_QUALITY = 9
const PARENT_CHECK_MS = 1_000
/** Changes with each build of `--watch`, so that open windows reload. */
const BUILD_ID_FILE = 'build-id.json'
const RELOAD_ON_CHANGE = `
let firstId
setInterval(async () => {
  const response = await fetch('/web/${BUILD_ID_FILE}').catch(() => null)
  if (!response?.ok) return
  const id = await response.text()
  firstId ??= id
  if (id !== firstId) location.reload()
}, 1000)
`
/** Constants of the service worker. */
const define = { CLIENT_PAGES: JSON.stringify(CLIENT_PAGES.source) }
const draft = join(WEB, `.dist-${process.pid}`)
const previous = join(WEB, `.dist-${process.pid}-previous`)

if (process.argv.includes('--watch')) await watchAndBuild()
else await buildOnce()

async function buildOnce(): Promise<void> {
  const start = performance.now()
  console.error('Building the web client')
  try {
    mkdirSync(draft, { recursive: true })
    // Older than all files that change during the build, so that the next command builds again.
    writeFileSync(join(draft, '.built'), '')
    await build({
      root: WEB,
      logLevel: 'warn',
      define,
      build: { outDir: draft, emptyOutDir: false },
    })
    compress()
    replace()
    console.error(`Built the web client in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  } catch (err) {
    console.error(`The web client could not be built: ${err instanceof Error ? err.message : String(err)}`)
    process.exitCode = 1
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(previous, { recursive: true, force: true })
  }
}

/**
 * Builds after each change, until the command that started this one ends. Each build is written into the folder that the
 * server reads; files of earlier builds stay there for open windows, which reload. The next `npm start` or `npm test`
 * replaces these builds, because they have no compressed variants.
 */
async function watchAndBuild(): Promise<void> {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && process.exit(), PARENT_CHECK_MS)
  await build({
    root: WEB,
    logLevel: 'warn',
    define,
    build: { outDir: OUTPUT, emptyOutDir: false, watch: {} },
    plugins: [
      {
        name: 'linnet-reload',
        transform: (code, id) => (id.endsWith('/src/main.tsx') ? code + RELOAD_ON_CHANGE : null),
        writeBundle() {
          rmSync(join(OUTPUT, '.built'), { force: true })
          writeFileSync(join(OUTPUT, BUILD_ID_FILE), JSON.stringify(Date.now()))
          console.error('Built the web client')
        },
      },
    ],
  })
}

/** Writes compressed variants, so that the server compresses nothing while it runs. */
function compress(): void {
  for (const file of globSync('**/*.{js,css,svg}', { cwd: draft })) {
    const content = readFileSync(join(draft, file))
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    writeFileSync(join(draft, `${file}.br`), brotliCompressSync(content, { params }))
    writeFileSync(join(draft, `${file}.gz`), gzipSync(content))
  }
}

function replace(): void {
  try {
    renameSync(OUTPUT, previous)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
  }
  try {
    renameSync(draft, OUTPUT)
  } catch (err) {
    // Another command has finished the same build in between.
    if ((err as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw err
  }
}

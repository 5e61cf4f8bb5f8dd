import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'
import type { Plugin } from 'vite'

// Bundles the modules of the server into a new folder beside the packages, and prints the name of the folder. A running
// server continues to load files of the previous bundle, so that one is retained. Argument: what identifies the sources.

const ROOT = join(import.meta.dirname, '..')
const BUNDLES = join(ROOT, 'node_modules/.cache/linnet-server')
const CURRENT = join(BUNDLES, 'current')
const HOUR_MS = 3_600_000

/** The program, and the modules that are loaded by their path (src/platform/bundled-path.ts). */
const ENTRIES: Record<string, string> = {
  main: 'src/main.ts',
  decoder: 'src/platform/media/decoder/main.ts',
  ...Object.fromEntries(
    readdirSync(join(ROOT, 'migrations')).map((file) => [
      `migrations/${file.replace(/\.ts$/, '')}`,
      `migrations/${file}`,
    ]),
  ),
}

/** Packages that are loaded when they are first used, or that read files of their own folder. */
const EXTERNAL = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@fastify/static',
  '@node-saml/node-saml',
  '@scalar/fastify-api-reference',
  '@simplewebauthn/server',
  'iovalkey',
  'ldapts',
  'markdown-it',
  'nodemailer',
  'openid-client',
  'pg-native',
  'sharp',
]

const [, , sources = ''] = process.argv
const name = `${Date.now().toString(36)}-${process.pid}`

try {
  const previous = readPrevious()
  // Before bundling, which takes seconds, and whose error would fill a page if this user may not write here.
  mkdirSync(join(BUNDLES, name), { recursive: true })
  const startedAt = new Date()
  await bundle(join(BUNDLES, name))
  const draft = `${CURRENT}.${process.pid}`
  // As old as the start of the build, so that the next start bundles again what has changed meanwhile.
  writeFileSync(draft, `${sources}\n${name}\n`)
  utimesSync(draft, startedAt, startedAt)
  renameSync(draft, CURRENT)
  removeOldBundles([name, previous])
  console.log(name)
} catch (err) {
  console.error(`The server starts without a bundle: ${err instanceof Error ? err.message : String(err)}`)
  process.exitCode = 1
}

/** Removes bundles except these and those of the last hour, which another command may be building or starting. */
function removeOldBundles(retained: readonly (string | null)[]): void {
  for (const folder of readdirSync(BUNDLES).filter((entry) => entry !== 'current' && !retained.includes(entry))) {
    const path = join(BUNDLES, folder)
    if (statSync(path).mtimeMs < Date.now() - HOUR_MS) rmSync(path, { recursive: true, force: true })
  }
}

function readPrevious(): string | null {
  try {
    return readFileSync(CURRENT, 'utf8').split('\n')[1] ?? null
  } catch {
    return null
  }
}

async function bundle(folder: string): Promise<void> {
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [keepLocations(folder)],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      target: 'esnext',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      sourcemap: 'hidden',
      rolldownOptions: {
        input: ENTRIES,
        // In one folder except migrations, because the positions of the sources are relative to it. In ASCII and without
        // comments, because V8 keeps the text of the modules in memory, with two bytes per character for a module that is
        // not ASCII.
        output: {
          chunkFileNames: '[name]-[hash].js',
          charset: 'ascii',
          comments: false,
          minify: { compress: false, mangle: false, codegen: true },
        },
      },
    },
  })
}

/** Lets modules find the files beside them, although they are executed from the bundle in `folder`. */
function keepLocations(folder: string): Plugin {
  return {
    name: 'keep-locations',
    transform(code, id) {
      if (!id.startsWith(`${ROOT}/src/`) || !/import\.meta\.(url|dirname)/.test(code)) return null
      const path = JSON.stringify(relative(folder, id))
      const directory = JSON.stringify(relative(folder, dirname(id)))
      return {
        code: code
          .replaceAll('import.meta.dirname', `(import.meta.dirname + '/' + ${directory})`)
          .replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`),
        map: null,
      }
    },
  }
}

// Installs the packages of the lockfile. Plain JavaScript, because any Node from 20 on must be able to run it.
// Usage: node install.mjs STAMP, where STAMP identifies the content of the lockfile and the platform. Prints the
// runtime to use, `bundled` (the one that npm installs) or `path`; all other output goes to standard error.
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = 20
const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'node_modules', '.linnet-installed')
const lock = join(root, '.installing')
/** npm's cache during an installation by a user without a home folder. */
const temporaryCache = join(root, '.installing-cache')

/**
 * Prints one line to standard error and exits with code 1.
 * @returns {never}
 */
function fail(text) {
  console.error(text)
  process.exit(1)
}

/**
 * Takes the lock: a symbolic link to this process id, which is created atomically with its content. Waits for another
 * installation. The lock of a killed installation is removed under a second lock, so that no new lock is removed.
 */
async function takeLock() {
  let isAnnounced = false
  for (;;) {
    if (tryLink(lock)) return
    const holder = holderOf(lock)
    // A container often gives each start the same process id, so this one may be that of the killed installation.
    if (holder !== null && (holder === process.pid || !isAlive(holder))) {
      if (tryLink(`${lock}.stale`)) {
        if (holderOf(lock) === holder) unlinkSync(lock)
        unlinkSync(`${lock}.stale`)
      } else if (!isAlive(holderOf(`${lock}.stale`) ?? process.pid)) {
        fail(`An installation was interrupted: remove ${lock}.stale, then run the same command again.`)
      }
      continue
    }
    if (!isAnnounced) console.error('Another command is installing the libraries; waiting for it.')
    isAnnounced = true
    await wait(100)
  }
}

function tryLink(path) {
  try {
    symlinkSync(String(process.pid), path)
    return true
  } catch (err) {
    if (err.code === 'EEXIST') return false
    return fail(`Linnet can't install its libraries: ${root} can't be written by this user (${err.code}).`)
  }
}

function holderOf(path) {
  try {
    return Number(readlinkSync(path))
  } catch {
    return null
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (err) {
    return err.code === 'EPERM'
  }
}

/** Returns the packages of a lockfile; null if there is none, or npm is writing it at the moment. */
function packagesIn(...path) {
  try {
    return JSON.parse(readFileSync(join(root, ...path), 'utf8')).packages
  } catch {
    return null
  }
}

/** Returns whether exactly these packages are installed, for example by npm itself. */
function isInstalled() {
  const required = packagesIn('package-lock.json')
  const installed = packagesIn('node_modules', '.package-lock.json')
  if (required === null || installed === null) return false
  return Object.entries(required).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    if (installed[path])
      return installed[path].version === entry.version && installed[path].integrity === entry.integrity
    return Boolean(entry.optional || entry.devOptional) && !isForThisPlatform(entry)
  })
}

/** Returns whether npm would install an optional package on this platform; false for packages of one C library. */
function isForThisPlatform({ os, cpu, libc }) {
  const matches = (list, value) => [list ?? []].flat().length === 0 || [list].flat().includes(value)
  return (os || cpu) && !libc && matches(os, process.platform) && matches(cpu, process.arch)
}

/** Rejects an unusable data folder before an installation that takes a minute; the start checks more. */
function checkDataFolder() {
  const { DATA_DIR: dataDir } = process.env
  if (!dataDir?.trim()) return
  let existing = resolve(dataDir.trim())
  while (!existsSync(existing)) existing = dirname(existing)
  try {
    if (!statSync(existing).isDirectory()) fail(`The data folder ${dataDir} can't be used: ${existing} is a file.`)
    accessSync(existing, constants.W_OK | constants.X_OK)
  } catch (err) {
    fail(`The data folder ${dataDir} can't be used: this user may not write to ${existing} (${err.code}).`)
  }
}

async function install() {
  const start = Date.now()
  const title = 'Installing the libraries that the lockfile pins'
  const seconds = () => Math.round((Date.now() - start) / 1000)
  console.error(`${title} (the first time this takes about a minute)`)
  const ticker = setInterval(
    () => {
      if (process.stderr.isTTY) process.stderr.write(`\r${title}: ${seconds()} s `)
      else console.error(`${title}: ${seconds()} s`)
    },
    process.stderr.isTTY ? 1000 : 15_000,
  )
  const { code, output } = await runNpm([
    'ci',
    '--ignore-scripts',
    // Also in production: the web client is built with them, and the tests need them.
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--no-progress',
    '--loglevel=error',
    ...(hasNpmCache() ? [] : [`--cache=${temporaryCache}`]),
  ])
  clearInterval(ticker)
  rmSync(temporaryCache, { recursive: true, force: true })
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
  if (code !== 0)
    fail(
      `The libraries could not be installed: ${reasonIn(output, code)}. Fix the cause and run the same command again.`,
    )
  console.error(`Installed the libraries in ${seconds()} s`)
}

/** Returns whether npm can write to its own cache. Users of services often have no home folder. */
function hasNpmCache() {
  try {
    // npm passes its setting to its scripts, such as `npm start`.
    const cache = process.env.npm_config_cache || join(homedir(), '.npm')
    mkdirSync(cache, { recursive: true })
    accessSync(cache, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function runNpm(args) {
  return new Promise((resolve) => {
    const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    npm.stderr.on('data', (chunk) => (output += chunk))
    npm.on('error', (err) => fail(`Linnet needs npm in the PATH to install its libraries (${err.message}).`))
    npm.on('close', (code) => resolve({ code, output }))
  })
}

/** Returns npm's error in one line. */
function reasonIn(output, code) {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '' && !/complete log of this run|^npm warn/i.test(line))
  return lines.slice(0, 3).join(' ').replace(/\.$/, '') || `npm ended with ${code}`
}

/** Chooses the runtime that npm installed, or the one in the PATH. Exits if neither can run TypeScript. */
function chooseRuntime() {
  const bundled = spawnSync(join(root, 'node_modules', '.bin', 'node'), ['-p', 'Boolean(process.features.typescript)'])
  if (bundled.stdout?.toString().trim() === 'true') return 'bundled'
  if (process.features.typescript && Number.parseInt(process.versions.node, 10) >= 24) return 'path'
  const reason = bundled.error?.code === 'ENOENT' ? 'npm has none for' : 'the one that npm brings does not run on'
  return fail(
    `Linnet needs Node 24 or newer, which runs TypeScript: ${reason} this system ` +
      `(${process.platform}-${process.arch}), and the PATH has ${process.version}.`,
  )
}

/** Records the finished installation. Without permission to write, each start checks the packages again. */
function writeStamp(text) {
  try {
    mkdirSync(join(root, 'node_modules'), { recursive: true })
    // Another command may write the file at the same time.
    const draft = `${stampFile}.${process.pid}`
    writeFileSync(draft, text)
    renameSync(draft, stampFile)
  } catch (err) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(err.code)) throw err
  }
}

const [stamp] = process.argv.slice(2)
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  fail(`Linnet needs Node ${OLDEST_NODE} or newer in the PATH to install its libraries; this is ${process.version}.`)
}
if (!isInstalled()) {
  checkDataFolder()
  await takeLock()
  process.on('exit', () => unlinkSync(lock))
  if (!isInstalled()) await install()
}
const runtime = chooseRuntime()
writeStamp(`${stamp}\n${runtime}\n`)
console.log(runtime)

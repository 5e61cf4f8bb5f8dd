import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'
import { chooseTests, findNamedTestFiles, listTestFiles } from './choose-tests.ts'
import type { TestFile } from './choose-tests.ts'
import { createTemporaryFolder } from '../test/runner/temporary-folder.ts'

/** The number of concurrent processes. Tests often wait, so three processes use two cores. */
const PROCESSES = 3

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Whether a signal stopped the tests, so that no further tests are started. */
let isStopped = false

const OPTIONS = [
  '--test',
  `--test-concurrency=${PROCESSES}`,
  '--test-reporter=spec',
  '--test-global-setup=test/runner/setup.ts',
  '--import=./test/runner/track-tests.ts',
]

/**
 * Runs `node --test` and returns its exit code. The process has its own session, so that it receives a signal only
 * once, whether the terminal, npm or both send it. The first signal ends the tests and stops their database.
 */
async function run(args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [...OPTIONS, ...args], { stdio: 'inherit', detached: true })
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  const stop = () => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop).on(signal, () => undefined)
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    isStopped = true
  }
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  // npm forwards only SIGINT and SIGTERM, so the end of npm also stops the tests.
  const parent = process.ppid
  const watch = setInterval(() => process.ppid === parent || stop(), 1_000)
  if (process.env['npm_lifecycle_event'] === undefined) clearInterval(watch)
  try {
    return await ended
  } finally {
    clearInterval(watch)
    for (const signal of STOP_SIGNALS) process.off(signal, stop)
  }
}

/**
 * Runs files in shared processes (test/runner/shared-process.ts): as many as run at a time, each of which takes the next
 * file until there are no more. Slow files come first, so that no process ends long after the others. Files that measure
 * their process have their own.
 */
async function runFiles(files: readonly TestFile[]): Promise<number> {
  const alone = files.filter(({ isAlone }) => isAlone)
  const shared = files.filter(({ isAlone }) => !isAlone)
  const ordered = [...shared.filter(({ isSlow }) => isSlow), ...shared.filter(({ isSlow }) => !isSlow)]
  const folder = mkdtempSync(join(tmpdir(), 'linnet-shared-processes-'))
  try {
    writeFileSync(join(folder, 'files'), ordered.map(({ path }) => `${path}\n`).join(''))
    const shared = ordered.slice(0, PROCESSES).map((_file, number) => join(folder, `process-${number}.test.ts`))
    for (const path of shared) symlinkSync(resolvePath('test/runner/shared-process.ts'), path)
    process.env['TEST_SHARED_FOLDER'] = folder
    process.env['TEST_SHARED_PROCESSES'] = String(shared.length)
    return await run([...alone.map(({ path }) => path), ...shared])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Omits the slow files for `--quick`, and prints their number. */
function chooseTier(files: TestFile[]): TestFile[] {
  if (!isQuick) return files
  const chosen = files.filter(({ isSlow }) => !isSlow)
  console.log(`--quick: ${files.length - chosen.length} of ${files.length} test files are marked as slow and left out`)
  return chosen
}

const isQuick = process.argv.includes('--quick')
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-') && argument !== '--quick')
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))

/** Runs the tests that the words name. Prints the words that match nothing. */
async function runChosen(): Promise<number> {
  const named = words.length === 0 ? null : findNamedTestFiles(words)
  const all = chooseTier(named ?? listTestFiles())
  const chosen = chooseTests(named ? [] : words, all)
  if ('unknown' in chosen) {
    for (const { word, nearest } of chosen.unknown) {
      console.error(`No test has "${word}" in its path or its title.${nearest.length > 0 ? ' The nearest:' : ''}`)
      for (const one of nearest) console.error(`  ${one}`)
    }
    return 1
  }
  // Files that are chosen by path run completely, of the others only the tests with matching titles.
  const byPath = chosen.files.map(({ path }) => path)
  const byTitle = chosen.filesByTitle.map(({ path }) => path)
  if (byTitle.length > 0) byTitle.unshift(...chosen.patterns)
  let exitCode = 0
  for (const args of [byPath, byTitle]) {
    if (args.length > 0 && !isStopped) exitCode = (await run([...options, ...args])) || exitCode
  }
  return exitCode
}

const isWholeSuite = words.length === 0 && options.length === 0
const temporaryFolder = createTemporaryFolder()
process.env['TMPDIR'] = temporaryFolder
try {
  process.exitCode = await (isWholeSuite ? runFiles(chooseTier(listTestFiles())) : runChosen())
} finally {
  rmSync(temporaryFolder, { recursive: true, force: true })
}

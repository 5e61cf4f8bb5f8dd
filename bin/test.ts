import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'
import { chooseTests, listTestFiles } from './choose-tests.ts'

/** Tests wait a good deal, for programs and for moments: three processes at a time keep two cores busy. */
const PROCESSES = 3

/** How many files of the whole suite one process takes (test/lane.ts). */
const FILES_IN_LANE = 16

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Whether a signal ended the tests: what would run next does not. */
let isStopped = false

const OPTIONS = [
  '--test',
  `--test-concurrency=${PROCESSES}`,
  '--test-reporter=spec',
  '--test-global-setup=test/setup.ts',
]

/**
 * Runs `node --test` to its end and returns its exit code. It has a session of its own, so that it gets a signal once,
 * whether a terminal sends it to all, npm forwards it, or both; the first one ends the tests and stops their database.
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
  // npm forwards SIGINT and SIGTERM only, so its end counts, too.
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
 * Runs all files in lanes, each a process for several files, in an order in which what takes long does not come last.
 * Files that measure their process get one of their own.
 */
async function runSuite(): Promise<number> {
  const files = listTestFiles()
  const alone = files.filter(({ text }) => /^\/\/ In a process of its own:/m.test(text))
  const shared = files.filter((file) => !alone.includes(file))
  const folder = mkdtempSync(join(tmpdir(), 'linnet-lanes-'))
  try {
    writeFileSync(join(folder, 'files'), shared.map(({ path }) => `${path}\n`).join(''))
    const lanes = Array.from({ length: Math.ceil(shared.length / FILES_IN_LANE) }, (_, lane) =>
      join(folder, `lane-${lane}.test.ts`),
    )
    for (const lane of lanes) symlinkSync(resolvePath('test/lane.ts'), lane)
    process.env['TEST_LANES'] = folder
    process.env['TEST_FILES_IN_LANE'] = String(FILES_IN_LANE)
    return await run([...alone.map(({ path }) => path), ...lanes])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))

if (words.length === 0 && options.length === 0) process.exitCode = await runSuite()
else {
  const chosen = chooseTests(words)
  if ('unknown' in chosen) {
    for (const { word, nearest } of chosen.unknown) {
      console.error(`No test has "${word}" in its path or its title.${nearest.length > 0 ? ' The nearest:' : ''}`)
      for (const one of nearest) console.error(`  ${one}`)
    }
    process.exitCode = 1
  } else {
    // Files that are chosen by their path run whole, the others only the tests that the words name.
    for (const args of [chosen.files, [...chosen.patterns, ...chosen.filesByTitle]]) {
      if (args.length > 0 && !isStopped) process.exitCode = (await run([...options, ...args])) || process.exitCode || 0
    }
  }
}

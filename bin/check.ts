import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const TOOLS = join(ROOT, 'node_modules', '.bin')

const CHECKS: [name: string, command: string, ...args: string[]][] = [
  ['format', 'oxfmt', '--check'],
  ['lint', 'oxlint'],
  ['types', 'tsc', '--noEmit', '-p', '.'],
  ['web types', 'tsc', '--noEmit', '-p', 'web'],
  ['service worker types', 'tsc', '--noEmit', '-p', 'web/src/service-worker'],
  ['dead code', 'knip', '--no-progress'],
  ['statements', 'node', 'bin/check-statements.ts'],
  ['messages', 'node', 'bin/messages.ts', '--check'],
  ['layers', 'node', '--test', '--test-reporter=dot', 'test/layers.test.ts'],
]

/** Runs one tool. Never throws: a tool that cannot start counts as failed, with the reason as its output. */
async function run(command: string, args: string[]): Promise<{ ok: boolean; output: string; seconds: number }> {
  const start = performance.now()
  const chunks: Buffer[] = []
  const ok = await new Promise<boolean>((resolve) => {
    const child = spawn(join(TOOLS, command), args, {
      cwd: ROOT,
      env: { ...process.env, PATH: `${TOOLS}${delimiter}${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (err) => {
      chunks.push(Buffer.from(`${err.message}\n`))
      resolve(false)
    })
    child.on('close', (code) => resolve(code === 0))
  })
  return { ok, output: Buffer.concat(chunks).toString().trimEnd(), seconds: (performance.now() - start) / 1000 }
}

const failures: string[] = []
await Promise.all(
  CHECKS.map(async ([name, command, ...args]) => {
    const { ok, output, seconds } = await run(command, args)
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(20)} ${seconds.toFixed(1)} s`)
    if (!ok) failures.push(`\n── ${name}: ${[command, ...args].join(' ')}\n${output}`)
  }),
)
for (const failure of failures) console.log(failure)
process.exitCode = failures.length > 0 ? 1 : 0

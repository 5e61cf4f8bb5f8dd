import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../../src/platform/db/connection.ts'

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const LINNET = new URL('../../bin/linnet', import.meta.url).pathname

/** The time limit for anything that a test waits for, much longer than it needs. A program starts in up to 20 seconds. */
const TIMEOUT_MS = 60_000

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** A running process of the program. */
export interface LinnetProcess {
  readonly pid: number
  /** Waits until the standard output matches. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  /** Closes standard output and standard error, like a terminal or a log collector that ends. */
  closeOutput(): void
  /** Resolves when the process has ended. */
  readonly ended: Promise<Outcome>
}

/**
 * Starts the program with this environment, in addition to the paths that every program needs and the compile cache of
 * the suite. `within` is a command that executes the rest of its arguments. Servers start from the bundle, as in
 * production: that takes half of the processor time.
 */
export function startLinnet(
  args: string[],
  env: Record<string, string>,
  { within: wrapper = [] }: { within?: readonly string[] } = {},
): LinnetProcess {
  const program = args[0] === 'serve' ? [LINNET] : [process.execPath, MAIN]
  return start([...wrapper, ...program, ...args], env)
}

/** Starts another program of the project in the same way. `args` are its file and its arguments. */
export function startProgram(args: string[], env: Record<string, string>): LinnetProcess {
  return start([process.execPath, ...args], env)
}

function start([program, ...args]: readonly string[], env: Record<string, string>): LinnetProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(program!, args, {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  return {
    pid: child.pid!,
    ended,
    kill: (signal) => void child.kill(signal),
    closeOutput: () => [child.stdout, child.stderr].forEach((stream) => stream.destroy()),
    async waitForOutput(pattern) {
      const timeout = AbortSignal.timeout(TIMEOUT_MS)
      for (;;) {
        const found = pattern.exec(stdout)
        if (found) return found
        if (child.exitCode !== null || child.signalCode !== null) break
        await Promise.race([once(child.stdout, 'data', { signal: timeout }), ended])
      }
      throw new Error(`The process ended without output that matches ${String(pattern)}:\n${stdout}\n${stderr}`)
    },
  }
}

/** Runs the program until it ends. */
export async function runLinnet(args: string[], env: Record<string, string>): Promise<Outcome> {
  return startLinnet(args, env).ended
}

/** Returns a free port. */
export async function findPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

/** Returns a connection as a value for `DATABASE_URL`. */
export function urlOf({ connectionString, host, port, user, database }: Connection): string {
  if (connectionString !== undefined) return connectionString
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}

/** Checks often send requests; more of them would slow down the operation that they wait for. */
const MAX_CHECK_DELAY_MS = 100

/** Repeats a check until it succeeds. @throws the error of the last check after the time limit */
export async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS
  for (let delay = 10; ; delay = Math.min(delay * 1.2, MAX_CHECK_DELAY_MS)) {
    try {
      return await check()
    } catch (err) {
      if (Date.now() > deadline) throw err
    }
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
}

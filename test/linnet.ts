import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Connection } from '../src/platform/db/connect.ts'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname

/** How long a process may take for what a test waits for: much longer than it ever needs. */
const PATIENCE_MS = 20_000

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** A running program of ours. */
export interface LinnetProcess {
  readonly pid: number
  /** Waits until its standard output has this. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  /** Closes both ends of its output, as a terminal or a collector of logs that ends. */
  closeOutput(): void
  /** How it ended, once it has. */
  readonly ended: Promise<Outcome>
}

/**
 * Starts the program with exactly this environment, beside the paths that any program needs and what the suite has
 * compiled. `within`: a command that becomes the one behind it.
 */
export function startLinnet(
  args: string[],
  env: Record<string, string>,
  { within = [] }: { within?: readonly string[] } = {},
): LinnetProcess {
  return startProgram([MAIN, ...args], env, { within })
}

/** Starts another program of the project in the same way: its file, and its arguments. */
export function startProgram(
  args: string[],
  env: Record<string, string>,
  { within = [] }: { within?: readonly string[] } = {},
): LinnetProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const [program, ...rest] = [...within, process.execPath, ...args]
  const child = spawn(program!, rest, {
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
    async says(pattern) {
      const timeout = AbortSignal.timeout(PATIENCE_MS)
      for (;;) {
        const found = pattern.exec(stdout)
        if (found) return found
        if (child.exitCode !== null || child.signalCode !== null) break
        await Promise.race([once(child.stdout, 'data', { signal: timeout }), ended])
      }
      throw new Error(`It ended without saying ${String(pattern)}:\n${stdout}\n${stderr}`)
    },
  }
}

/** Runs the program to its end. */
export async function runLinnet(args: string[], env: Record<string, string>): Promise<Outcome> {
  return startLinnet(args, env).ended
}

/** A port that nothing listens on. */
export async function findPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

/** The same as one URL, for a process of its own. */
export function urlOf({ connectionString, host, port, user, database }: Connection): string {
  if (connectionString !== undefined) return connectionString
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`
}

/** Looks until it is so. The error of the last look tells what was missing. */
export async function eventually<T>(look: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await look()
    } catch (err) {
      if (Date.now() > deadline) throw err
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

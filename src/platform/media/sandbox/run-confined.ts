import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { minimalEnvironment, confineCommand } from './confine-command.ts'
import type { ResourceLimits } from './confine-command.ts'
import { killGroup } from './kill-group.ts'

export interface ProcessResult {
  /** Whether it exited in time with the code 0. */
  ok: boolean
  stdout: string
  /** The last characters. */
  stderr: string
}

/** Limits of the standard output and of the returned standard error. */
const MAX_OUTPUT_BYTES = 262_144
const MAX_STDERR_CHARACTERS = 2_000
/** The limit of processor time is the time limit multiplied by this number of threads. */
const MAX_THREADS = 4

/** Killed at the exit of this process, for systems where `setpriv` is missing. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(killGroup))

/**
 * Runs a program on an untrusted file: without input, environment or network, and with limits. After `seconds`, it is
 * killed together with the processes that it started. Throws if it cannot be started.
 */
export async function runConfined(
  command: readonly string[],
  { seconds, ...limits }: Omit<ResourceLimits, 'cpuSeconds'> & { seconds: number },
): Promise<ProcessResult> {
  const [program = '', ...args] = await confineCommand({ ...limits, cpuSeconds: seconds * MAX_THREADS }, command)
  const child = spawn(program, args, {
    cwd: '/',
    env: minimalEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const stdout = collectOutput(child.stdout, { onFull: () => killGroup(child) })
  const stderr = collectOutput(child.stderr, { onFull: () => {} })
  await once(child, 'spawn')
  running.add(child)
  const timer = setTimeout(() => killGroup(child), seconds * 1000)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return { ok: code === 0, stdout: stdout(), stderr: stderr().slice(-MAX_STDERR_CHARACTERS) }
  } finally {
    clearTimeout(timer)
    killGroup(child)
    running.delete(child)
  }
}

/** Returns a function that returns the last output. Calls `onFull` when there was more than the limit. */
function collectOutput(pipe: Readable, { onFull }: { onFull: () => void }): () => string {
  const chunks: Buffer[] = []
  let size = 0
  pipe.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_OUTPUT_BYTES) onFull()
    while (size > MAX_OUTPUT_BYTES) size -= chunks.shift()!.length
  })
  pipe.on('error', () => {})
  return () => Buffer.concat(chunks).toString()
}

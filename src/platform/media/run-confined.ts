import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { bareEnvironment, confine } from './confine.ts'
import type { Confinement } from './confine.ts'
import { killGroup } from './kill-group.ts'

export interface Finished {
  /** It ended by itself, in time, and found nothing wrong. */
  ok: boolean
  stdout: string
  /** The end of what it said. */
  stderr: string
}

/** Of what a program writes to its output, and of its complaints. */
const MAX_OUTPUT_BYTES = 262_144
const KEPT_COMPLAINTS = 2_000
/** Processor time is what it may use of the clock's on so many threads. */
const MAX_THREADS = 4

/** Where nothing else tells them that their parent has ended, it does so itself. */
const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(killGroup))

/**
 * Runs a program on a file of a stranger: without input, environment or network, within limits, and no longer than
 * `seconds`; then it is killed with all that it started. Throws where it can not be started.
 */
export async function runConfined(
  command: readonly string[],
  { seconds, ...limits }: Omit<Confinement, 'cpuSeconds'> & { seconds: number },
): Promise<Finished> {
  const [program = '', ...args] = await confine({ ...limits, cpuSeconds: seconds * MAX_THREADS }, command)
  const child = spawn(program, args, {
    cwd: '/',
    env: bareEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const stdout = collect(child.stdout, { onFull: () => killGroup(child) })
  const stderr = collect(child.stderr, { onFull: () => {} })
  await once(child, 'spawn')
  running.add(child)
  const timer = setTimeout(() => killGroup(child), seconds * 1000)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return { ok: code === 0, stdout: stdout(), stderr: stderr().slice(-KEPT_COMPLAINTS) }
  } finally {
    clearTimeout(timer)
    killGroup(child)
    running.delete(child)
  }
}

/** The last of what has come. `onFull`: that was more than is kept. */
function collect(pipe: Readable, { onFull }: { onFull: () => void }): () => string {
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

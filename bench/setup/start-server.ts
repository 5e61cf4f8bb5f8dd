import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { CommandError } from '../../src/cli/command-error.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/linnet')

/** A server process, as started by `npm start`. */
export interface Server {
  pid: number
  /** The duration of its start. */
  ms: number
  stop(): Promise<void>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
}

/** Starts a server, with `only` for a single role. @throws CommandError if it does not start */
export async function startServer(env: Record<string, string>, { only }: { only?: 'web' } = {}): Promise<Server> {
  const start = performance.now()
  const child = spawn(PROGRAM, ['serve', ...(only ? ['--only', only] : [])], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!output.includes('is ready after')) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new CommandError(`The server did not start: ${output}`)
    await Promise.race([once(child.stdout, 'data'), closed])
  }
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await closed
  }
  return {
    pid: child.pid!,
    ms: performance.now() - start,
    stop: async () => end('SIGTERM'),
    kill: async () => end('SIGKILL'),
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Halt } from '../src/cli/failure.ts'

const PROGRAM = join(import.meta.dirname, '../bin/linnet')

/** A server, as `npm start` has it, in a process of its own. */
export interface Server {
  pid: number
  /** Until it was ready. */
  ms: number
  stop(): Promise<void>
  /** Without a word to anybody. */
  kill(): Promise<void>
}

/** `only`: a part of it, beside one that runs already. @throws Halt when it does not start */
export async function startServer(env: Record<string, string>, { only }: { only?: 'web' } = {}): Promise<Server> {
  const start = performance.now()
  const child = spawn(PROGRAM, ['serve', ...(only ? ['--only', only] : [])], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (!said.includes('is ready after')) {
    if (child.exitCode !== null) throw new Halt(`The server did not start: ${said}`)
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

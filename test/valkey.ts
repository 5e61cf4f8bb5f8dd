import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findPort } from './linnet.ts'

/** For `skip` of a test: Debian's redis-server, which speaks as Valkey does. */
export const noValkey = spawnSync('redis-server', ['--version']).error ? 'redis-server is not installed' : false

export interface RunningValkey {
  url: string
  /** Without a word to anybody. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** A real one, which keeps nothing. */
export async function openValkey(): Promise<RunningValkey> {
  const port = await findPort()
  const run = async () => {
    const child = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'])
    for await (const line of createInterface(child.stdout)) if (line.includes('Ready to accept')) break
    child.stdout.resume()
    return child
  }
  let running = await run()
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (running.exitCode !== null || running.signalCode !== null) return
      running.kill('SIGKILL')
      await once(running, 'exit')
    },
    async start() {
      running = await run()
    },
  }
}

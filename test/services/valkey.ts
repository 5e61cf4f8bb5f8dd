import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findPort } from '../servers/linnet-process.ts'

/** The reason to skip tests with Valkey; false if Debian's redis-server, which has the same protocol, is installed. */
export const noValkey = spawnSync('redis-server', ['--version']).error ? 'redis-server is not installed' : false

export interface RunningValkey {
  url: string
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts a server that persists nothing. */
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

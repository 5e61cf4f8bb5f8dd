import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LINNET = fileURLToPath(new URL('../../bin/linnet', import.meta.url))
const START_SECONDS = 60

/** A server as people start it: `bin/linnet serve` in a data folder of its own. */
export interface Server {
  readonly origin: string
  /** What the last start printed. */
  readonly output: string
  /** Seconds that the last start took. */
  readonly seconds: number
  /** A command beside it; gives what it printed. */
  run(...words: string[]): Promise<string>
  /** Kills the process without a word, and starts it again. */
  killAndStart(): Promise<void>
  stop(): Promise<number | null>
}

export async function startServer({
  dataDir,
  env = {},
}: {
  dataDir: string
  env?: Record<string, string>
}): Promise<Server> {
  const port = await freePort()
  const environment = { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...env }
  let output = ''
  let seconds = 0
  let child: ChildProcess
  const start = async () => {
    const since = performance.now()
    output = ''
    child = spawn(LINNET, ['serve'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr!.setEncoding('utf8').on('data', (text: string) => process.stderr.write(text))
    const ended = once(child, 'exit').then(() => {
      throw new Error(`The server stopped by itself:\n${output}`)
    })
    const ready = (async () => {
      while (!output.includes('Ctrl-C stops it.')) await once(child.stdout!, 'data')
    })()
    const late = AbortSignal.timeout(START_SECONDS * 1000)
    await Promise.race([
      ready,
      ended,
      once(late, 'abort').then(() => Promise.reject(new Error('The start takes too long'))),
    ])
    ended.catch(() => {})
    seconds = (performance.now() - since) / 1000
  }
  await start()
  return {
    origin: `http://localhost:${port}`,
    get output() {
      return output
    },
    get seconds() {
      return seconds
    },
    async run(...words) {
      const { stdout } = await promisify(execFile)(LINNET, words, { env: environment })
      return stdout.trim()
    },
    async killAndStart() {
      // Node alone dies; the PostgreSQL that it leaves behind is found and taken care of by the next start.
      child.kill('SIGKILL')
      await once(child, 'exit')
      await start()
    },
    async stop() {
      if (child.exitCode !== null) return child.exitCode
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}

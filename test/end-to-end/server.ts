import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findPort } from '../servers/linnet-process.ts'

const LINNET = fileURLToPath(new URL('../../bin/linnet', import.meta.url))
const START_SECONDS = 60

/** A server started by `bin/linnet serve` in a data folder of its own. */
export interface Server {
  /** Its URL on this machine. */
  readonly address: string
  /** The output since the last start. */
  readonly output: string
  /** Seconds that the last start took. */
  readonly seconds: number
  /** Runs a command while the server runs; returns its output. */
  run(...words: string[]): Promise<string>
  /** Kills the process with SIGKILL, and starts it again. */
  killAndRestart(): Promise<void>
  stop(): Promise<number | null>
}

export async function startServer({
  dataDir,
  port,
  env = {},
}: {
  dataDir: string
  port?: string
  env?: Record<string, string>
}): Promise<Server> {
  const socket = port ?? (await findPort())
  const environment = { ...process.env, DATA_DIR: dataDir, PORT: socket, LOG_LEVEL: 'error', ...env }
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
    const startTimeout = AbortSignal.timeout(START_SECONDS * 1000)
    const tooLate = once(startTimeout, 'abort').then(() => Promise.reject(new Error('The start takes too long')))
    await Promise.race([ready, ended, tooLate])
    for (const promise of [ended, tooLate]) promise.catch(() => {})
    seconds = (performance.now() - since) / 1000
  }
  await start()
  return {
    address: `${env.TLS_CERT_FILE ? 'https' : 'http'}://localhost:${socket}`,
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
    async killAndRestart() {
      // Only Node ends; the next start stops the PostgreSQL that still runs.
      child.kill('SIGKILL')
      await once(child, 'exit')
      await start()
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      return code
    },
  }
}

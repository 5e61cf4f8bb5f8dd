import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { CommandError } from '../../src/cli/command-error.ts'

/** A program of the benchmark in a child process, which communicates by messages and ends when it is disconnected. */
export interface Child {
  pid: number
  send(message: object): void
  /**
   * Returns the next message. Call it before sending the command that causes it.
   * @throws CommandError if the process ends
   */
  receive<T>(): Promise<T>
  end(): Promise<void>
}

/** Starts a program of the benchmark as a child process. `file` is its path in `bench/`. */
export function startChild(file: string, args: readonly string[] = []): Child {
  const child = fork(join(import.meta.dirname, '..', file), args)
  const lost = new AbortController()
  const exited = once(child, 'exit').then(() => lost.abort())
  return {
    pid: child.pid!,
    send: (message) => void child.send(message),
    async receive<T>() {
      const [message] = await once(child, 'message', { signal: lost.signal }).catch((err: unknown) => {
        throw lost.signal.aborted ? new CommandError(`The process of ${basename(file)} ended too early`) : err
      })
      return message as T
    },
    async end() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

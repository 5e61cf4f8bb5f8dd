import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { Halt } from '../src/cli/failure.ts'

/** A program of this folder in a process of its own, that talks by messages and ends when it is left alone. */
export interface Child {
  pid: number
  tell(message: object): void
  /** The next message. Listen before something is told that it may answer. @throws Halt when the process ends */
  hear<T>(): Promise<T>
  end(): Promise<void>
}

export function startChild(file: string, args: readonly string[] = []): Child {
  const child = fork(join(import.meta.dirname, file), args)
  const lost = new AbortController()
  const gone = once(child, 'exit').then(() => lost.abort())
  return {
    pid: child.pid!,
    tell: (message) => void child.send(message),
    async hear<T>() {
      const [message] = await once(child, 'message', { signal: lost.signal }).catch((err: unknown) => {
        throw lost.signal.aborted ? new Halt(`The process of ${basename(file)} ended too early`) : err
      })
      return message as T
    },
    async end() {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/** A process that decodes images, with figures of the kernel. */
export interface DecoderProcess {
  pid: string
  /** The peak resident memory in bytes. */
  peakMemory: number
  /** The limits of its data segment and of a file that it writes, in bytes. */
  memoryLimit: number
  fileLimit: number
}

/** The program of the decoder, in the bundle of the server and in the sources. */
const PROGRAM = /\/decoder(?:\.js|\/main\.ts)/

/** Returns the running decoders that a process has started. */
export function findDecoderProcesses(parent: number): DecoderProcess[] {
  return readdirSync(`/proc/${parent}/task`)
    .flatMap((thread) => read(`/proc/${parent}/task/${thread}/children`).trim().split(' '))
    .filter((pid) => pid !== '' && PROGRAM.test(read(`/proc/${pid}/cmdline`)))
    .map((pid) => {
      const limits = read(`/proc/${pid}/limits`)
      const limit = (name: string) => Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(limits)?.[1] ?? Infinity)
      return {
        pid,
        peakMemory: readPeakMemory(Number(pid)),
        memoryLimit: limit('Max data size'),
        fileLimit: limit('Max file size'),
      }
    })
    .filter(({ peakMemory }) => peakMemory > 0)
}

/** Returns the peak resident memory of a process in bytes; 0 if it does not exist. */
export function readPeakMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024
}

/** Returns the content of a file, or an empty string if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/** A process that decodes pictures, as the kernel keeps its books. */
export interface Decoder {
  pid: string
  /** The most memory that it ever held, in bytes. */
  mostMemory: number
  /** What it may have of its own, and of one file that it writes, in bytes. */
  memoryLimit: number
  fileLimit: number
}

/** Those that a process has started, as far as they live. */
export function findDecoders(parent: number): Decoder[] {
  return readdirSync(`/proc/${parent}/task`)
    .flatMap((thread) => read(`/proc/${parent}/task/${thread}/children`).trim().split(' '))
    .filter((pid) => pid !== '' && read(`/proc/${pid}/cmdline`).includes('decoder/main.ts'))
    .map((pid) => {
      const limits = read(`/proc/${pid}/limits`)
      const limit = (name: string) => Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(limits)?.[1] ?? Infinity)
      return {
        pid,
        mostMemory: readMostMemory(Number(pid)),
        memoryLimit: limit('Max data size'),
        fileLimit: limit('Max file size'),
      }
    })
    .filter(({ mostMemory }) => mostMemory > 0)
}

/** The most memory that a process ever held, in bytes; 0: there is none. */
export function readMostMemory(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024
}

/** Empty where the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

import { readFile } from 'node:fs/promises'

/** Linux's usual lower limit. Each stream and each connection of a client or to a database needs one. */
const MIN_OPEN_FILES = 1_024

/**
 * Returns a sentence if this process may open so few files that it would soon close new connections, else null. Node
 * does not report such connections. Node has raised the limit of the process to the highest that the system permits.
 */
export async function findOpenFileProblem(): Promise<string | null> {
  // Other systems than Linux do not have the file.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? []
  if (limit === undefined || Number(limit) >= MIN_OPEN_FILES) return null
  return `this process may open only ${limit} files, so it closes new connections when as many are open; increase the limit (ulimit -Hn, or LimitNOFILE of systemd)`
}

import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'

const PATH = '/etc/hosts'

/** Returns the addresses of a name in the system's hosts file, in the order of the file. */
export type FindInHostsFile = (hostname: string) => Promise<readonly string[]>

/** Returns a function that searches a hosts file. The file is read again only if it has changed. */
export function openHostsFile({ path = PATH }: { path?: string } = {}): FindInHostsFile {
  let version = ''
  let addresses = new Map<string, string[]>()
  return async (hostname) => {
    const file = await stat(path).catch(() => null)
    if (!file) return []
    const currentVersion = `${file.ino} ${file.mtimeMs} ${file.size}`
    if (currentVersion !== version) {
      addresses = parse(await readFile(path, 'utf8').catch(() => ''))
      version = currentVersion
    }
    return addresses.get(hostname.toLowerCase()) ?? []
  }
}

function parse(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase()
      addresses.set(key, [...(addresses.get(key) ?? []), address])
    }
  }
  return addresses
}

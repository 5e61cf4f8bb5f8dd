import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { Environment } from '../environment.ts'
import { isInRanges } from './addresses.ts'
import type { TestHost, TestHosts } from './target.ts'

/** Reads `name=ip:port,…`, with IPv6 addresses in brackets: where requests to other servers find names in tests. */
export function readTestHosts(read: Environment, allowed: readonly string[]): TestHosts {
  const name = 'LINNET_TEST_HOSTS'
  const hosts = new Map<string, TestHost>()
  for (const entry of read.list('LINNET_TEST_HOSTS') ?? []) {
    const [, host = '', v6, v4, port] = /^([^=:]+)=(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry) ?? []
    const ip = v6 ?? v4 ?? ''
    const ascii = domainToASCII(host.replace(/\.$/, ''))
    if (!ascii || !isIP(ip) || Number(port) < 1 || Number(port) > 65_535) {
      read.wrong(name, `must list entries such as remote.test=127.0.0.1:4443, not "${entry}"`)
    } else if (!isInRanges(ip, allowed)) {
      read.wrong(name, `may lead only to addresses in ALLOWED_PRIVATE_ADDRESSES, which ${ip} is not`)
    } else hosts.set(ascii, { ip, port: Number(port) })
  }
  return hosts
}

/** `ip:port,…` */
export function readTestDns(read: Environment, allowed: readonly string[]): readonly string[] | null {
  const servers = read.list('LINNET_TEST_DNS')
  const isRight = (server: string) => {
    const [ip = '', port] = server.split(':')
    return isIP(ip) === 4 && Number(port) > 0 && isInRanges(ip, allowed)
  }
  if (!(servers ?? []).every(isRight)) read.wrong('LINNET_TEST_DNS', 'must list ip:port in ALLOWED_PRIVATE_ADDRESSES')
  return servers
}

import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { isInRanges } from './address-filter.ts'
import type { TestHost, TestHosts } from './parse-request-url.ts'

/** Reads LINNET_TEST_HOSTS: `name=ip:port,…`, with IPv6 addresses in brackets. */
export function readTestHosts(reader: EnvironmentReader, allowed: readonly string[]): TestHosts {
  const name = 'LINNET_TEST_HOSTS'
  const hosts = new Map<string, TestHost>()
  for (const entry of reader.list('LINNET_TEST_HOSTS') ?? []) {
    const [, host = '', v6, v4, port] = /^([^=:]+)=(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry) ?? []
    const ip = v6 ?? v4 ?? ''
    const ascii = domainToASCII(host.replace(/\.$/, ''))
    if (!ascii || !isIP(ip) || Number(port) < 1 || Number(port) > 65_535) {
      reader.reportProblem(name, `must list entries such as remote.test=127.0.0.1:4443, not "${entry}"`)
    } else if (!isInRanges(ip, allowed)) {
      reader.reportProblem(name, `may lead only to addresses in ALLOWED_PRIVATE_ADDRESSES, which ${ip} is not`)
    } else hosts.set(ascii, { ip, port: Number(port) })
  }
  return hosts
}

/** Reads LINNET_TEST_DNS: `ip:port,…`. */
export function readTestDns(reader: EnvironmentReader, allowed: readonly string[]): readonly string[] | null {
  const servers = reader.list('LINNET_TEST_DNS')
  const isAllowedServer = (server: string) => {
    const [ip = '', port] = server.split(':')
    return isIP(ip) === 4 && Number(port) > 0 && isInRanges(ip, allowed)
  }
  if (!(servers ?? []).every(isAllowedServer))
    reader.reportProblem('LINNET_TEST_DNS', 'must list ip:port in ALLOWED_PRIVATE_ADDRESSES')
  return servers
}

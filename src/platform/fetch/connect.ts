import { connect as connectTcp, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { canonicalAddress } from './addresses.ts'
import type { Lookup, ResolvedAddress } from './lookup.ts'
import { asFetchError, FetchFailed, FetchRefused } from './refusals.ts'
import type { TestHosts } from './target.ts'

export interface ConnectorOptions {
  isAllowed: (address: string) => boolean
  testHosts: TestHosts
  /** PEM certificates that are trusted beside those that the system trusts. */
  extraCa: string | readonly string[] | undefined
  /** From the question to the resolver until the connection is ready to be written to. */
  timeoutMs: number
  lookup: Lookup
}

/** Where a connection shall lead, as the HTTP client asks for it. */
interface Destination {
  hostname: string
  protocol: string
  port: string
}

type Connect = (destination: Destination, callback: (err: Error | null, socket: Socket | null) => void) => void

/** How long one of several addresses may keep the next one waiting: half the world away is a third of a second. */
const ATTEMPT_MS = 1000

/**
 * Makes the only step by which connections come to be: it finds all addresses of the host, refuses if any of them is
 * not allowed, connects to these and to no others, and looks at the end where it has really arrived.
 */
export function createConnector({ isAllowed, testHosts, extraCa, timeoutMs, lookup }: ConnectorOptions): Connect {
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(extraCa && { ca: [...getCACertificates('default'), ...[extraCa].flat()] }),
  })

  return (destination, callback) => {
    let socket: Socket | undefined
    let done = false
    const finish = (err: Error | null) => {
      if (done) return
      done = true
      clearTimeout(timer)
      if (!err) return callback(null, socket!)
      socket?.destroy()
      callback(err, null)
    }
    const timer = setTimeout(() => {
      finish(new FetchFailed('timeout', `no connection to ${destination.hostname} within ${timeoutMs} ms`))
    }, timeoutMs)
    resolve(destination)
      .then(({ addresses, port }) => {
        if (done) return
        socket = openSocket(destination, { addresses, port, secureContext })
        watch(socket, { destination, addresses, finish })
      })
      .catch((err: unknown) => finish(asFetchError(err)))
  }

  async function resolve({
    hostname,
    protocol,
    port,
  }: Destination): Promise<{ addresses: ResolvedAddress[]; port: number }> {
    const host = hostname.replace(/^\[|\]$/g, '')
    const mapped = testHosts.get(host)
    const literal = mapped?.ip ?? (isIP(host) === 0 ? null : host)
    const addresses = literal === null ? await findAddresses(host) : [{ address: literal, family: isIP(literal) }]
    const closed = addresses.find(({ address }) => !isAllowed(address))
    if (closed) throw new FetchRefused('address', closed.address === host ? host : `${host} at ${closed.address}`)
    return { addresses, port: mapped?.port ?? (Number(port) || (protocol === 'https:' ? 443 : 80)) }
  }

  async function findAddresses(host: string): Promise<ResolvedAddress[]> {
    const addresses = await lookup(host).catch((err: unknown) => {
      throw new FetchFailed('dns', `${host} was not found`, { cause: err })
    })
    if (addresses.length === 0) throw new FetchFailed('dns', `${host} has no address`)
    return addresses
  }
}

function openSocket(
  { hostname, protocol }: Destination,
  { addresses, port, secureContext }: { addresses: ResolvedAddress[]; port: number; secureContext: SecureContext },
): Socket {
  // The system gets the addresses that were judged, and no occasion to ask again.
  const pinned: LookupFunction = (_hostname, options, callback) => {
    if (options.all) callback(null, addresses)
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  const route =
    isIP(host) === 0
      ? { host, lookup: pinned, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_MS }
      : { host }
  const socket =
    protocol === 'https:'
      ? connectTls({
          ...route,
          port,
          secureContext,
          servername: isIP(host) === 0 ? host : '',
          ALPNProtocols: ['http/1.1'],
        })
      : connectTcp({ ...route, port })
  return socket.setNoDelay(true).setKeepAlive(true, 60_000)
}

function watch(
  socket: Socket,
  {
    destination: { hostname, protocol },
    addresses,
    finish,
  }: { destination: Destination; addresses: ResolvedAddress[]; finish: (err: Error | null) => void },
): void {
  const permitted = new Set(addresses.map(({ address }) => canonicalAddress(address)))
  let connected = false
  socket.once('connect', () => {
    connected = true
    const arrived = socket.remoteAddress
    if (arrived === undefined) finish(new FetchFailed('network', `${hostname} closed the connection`))
    else if (!permitted.has(canonicalAddress(arrived))) {
      finish(new FetchRefused('address', `${hostname} at ${arrived}`))
    }
  })
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => finish(null))
  socket.on('error', (err) => finish(asFetchError(err, connected ? 'tls' : 'network')))
  socket.once('close', () => finish(new FetchFailed('network', `${hostname} closed the connection`)))
}

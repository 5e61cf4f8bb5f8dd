import { connect as connectTcp, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { canonicalAddress } from './address-filter.ts'
import type { Lookup, ResolvedAddress } from './create-lookup.ts'
import { toFetchError, FetchFailedError, FetchRefusedError } from './fetch-errors.ts'
import type { TestHosts } from './parse-request-url.ts'

export interface ConnectorOptions {
  isAllowed: (address: string) => boolean
  testHosts: TestHosts
  /** PEM certificates that are trusted in addition to those of the system. */
  extraCa: string | readonly string[] | undefined
  /** Limit for the DNS lookup, the connection and the TLS handshake together. */
  timeoutMs: number
  lookup: Lookup
}

/** The destination of a connection, from the HTTP client. */
interface Destination {
  hostname: string
  protocol: string
  port: string
}

type Connect = (destination: Destination, callback: (err: Error | null, socket: Socket | null) => void) => void

/** How long a connection attempt may take before the next address is tried. Distant hosts need a third of a second. */
const ATTEMPT_MS = 1000

/**
 * The offer of HTTP/1.1 in the form of TLS (RFC 7301). Node copies it for each connection: a view into memory of its own,
 * but a list of names into a slab of 64 KB, which then exists as long as the connection.
 */
const HTTP_1_1 = new DataView(new TextEncoder().encode('\bhttp/1.1').buffer)

/**
 * Returns the function through which all outbound connections are opened. It resolves the addresses of the host,
 * refuses if one of them is not allowed, connects only to these addresses, and finally checks the address of the peer.
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
      finish(new FetchFailedError('timeout', `no connection to ${destination.hostname} within ${timeoutMs} ms`))
    }, timeoutMs)
    resolve(destination)
      .then(({ addresses, port }) => {
        if (done) return
        socket = openSocket(destination, { addresses, port, secureContext })
        watchConnection(socket, { destination, addresses, finish })
      })
      .catch((err: unknown) => finish(toFetchError(err)))
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
    const forbiddenAddress = addresses.find(({ address }) => !isAllowed(address))
    if (forbiddenAddress)
      throw new FetchRefusedError(
        'address',
        forbiddenAddress.address === host ? host : `${host} at ${forbiddenAddress.address}`,
      )
    return { addresses, port: mapped?.port ?? (Number(port) || (protocol === 'https:' ? 443 : 80)) }
  }

  async function findAddresses(host: string): Promise<ResolvedAddress[]> {
    const addresses = await lookup(host).catch((err: unknown) => {
      throw new FetchFailedError('dns', `${host} could not be resolved`, { cause: err })
    })
    if (addresses.length === 0) throw new FetchFailedError('dns', `${host} has no address`)
    return addresses
  }
}

function openSocket(
  { hostname, protocol }: Destination,
  { addresses, port, secureContext }: { addresses: ResolvedAddress[]; port: number; secureContext: SecureContext },
): Socket {
  // Returns the checked addresses, so that the system does not resolve the name again.
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
          ALPNProtocols: HTTP_1_1,
        })
      : connectTcp({ ...route, port })
  return socket.setNoDelay(true).setKeepAlive(true, 60_000)
}

function watchConnection(
  socket: Socket,
  {
    destination: { hostname, protocol },
    addresses,
    finish,
  }: { destination: Destination; addresses: ResolvedAddress[]; finish: (err: Error | null) => void },
): void {
  const allowedAddresses = new Set(addresses.map(({ address }) => canonicalAddress(address)))
  let connected = false
  socket.once('connect', () => {
    connected = true
    const remoteAddress = socket.remoteAddress
    if (remoteAddress === undefined) finish(new FetchFailedError('network', `${hostname} closed the connection`))
    else if (!allowedAddresses.has(canonicalAddress(remoteAddress))) {
      finish(new FetchRefusedError('address', `${hostname} at ${remoteAddress}`))
    }
  })
  socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => finish(null))
  socket.on('error', (err) => finish(toFetchError(err, connected ? 'tls' : 'network')))
  socket.once('close', () => finish(new FetchFailedError('network', `${hostname} closed the connection`)))
}

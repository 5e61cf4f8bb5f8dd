import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net'

/** A proxy for TCP connections that can lose them like a machine or a firewall that disappears. */
export interface TcpProxy {
  port: number
  /** How many chunks the clients have sent. */
  readonly sent: number
  /** The open connections transfer nothing any more, but are not closed. New connections work. */
  loseConnections(): void
  close(): Promise<void>
}

/** Opens a proxy on a free port. `target`: a port or the path of a Unix socket. */
export async function openTcpProxy(target: NetConnectOpts): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let sent = 0
  const server = createServer((client) => {
    const upstream = connect(target)
    client.on('data', () => (sent += 1))
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get sent() {
      return sent
    },
    loseConnections() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

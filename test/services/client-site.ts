import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The web site of an app, on another origin than the server. */
export interface ClientSite {
  origin: string
  /** Where the app receives authorization codes. */
  redirectUri: string
  close(): Promise<void>
}

/** Starts a site whose pages are empty. */
export async function openClientSite(): Promise<ClientSite> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Client</title>')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    redirectUri: `${origin}/callback`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

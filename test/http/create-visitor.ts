import type { Client, ClientResponse } from './client.ts'

/** Sends a GET request without a token. */
export type Visitor = <Body = ClientResponse['body']>(url: string) => Promise<ClientResponse<Body>>

/** Each request comes from another address, so that polling does not reach the limit of an address. */
export function createVisitor({ anonymous }: { anonymous: Client }): Visitor {
  let count = 0
  return (url) => {
    count += 1
    return anonymous.send({ url, remoteAddress: `10.0.0.${count % 250}` })
  }
}

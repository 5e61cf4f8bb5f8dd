import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createCa } from '../../test/services/certificates.ts'

/**
 * A process that answers 202 to every POST to any host below `bench.test`. It sends its port and certificate authority
 * to its parent, and the number of received requests in response to each message.
 */
const ca = createCa()
let received = 0
const server = createServer({ ...ca.issue(['*.bench.test']), keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on('end', () => {
    received += 1
    response.writeHead(202).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port, ca: ca.pem })
})
process.on('message', () => process.send!({ received }))
process.on('disconnect', () => process.exit())

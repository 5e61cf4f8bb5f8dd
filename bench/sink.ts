import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createCa } from '../test/certificates.ts'

/**
 * A process of its own that takes whatever is posted to any host below `bench.test`, and answers 202. It tells its
 * parent where it listens, whom to trust, and from then on, when asked, how much has come.
 */
const ca = createCa()
let taken = 0
const server = createServer({ ...ca.issue(['*.bench.test']), keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on('end', () => {
    taken += 1
    response.writeHead(202).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as AddressInfo).port, ca: ca.pem })
})
process.on('message', () => process.send!({ taken }))
process.on('disconnect', () => process.exit())

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after } from 'node:test'

/** Opens a name server. `answers`: the addresses of a name for each type (1: A, 28: AAAA), or the data of other records; undefined: no response. */
export async function openNameServer(
  answers: (name: string, type: number) => readonly number[][] | undefined,
): Promise<{ address: string; questions: string[] }> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const name = labels.join('.')
    const type = query.readUInt16BE(at + 1)
    questions.push(name)
    const found = answers(name, type)
    if (!found) return
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(found.length, 6)
    header.writeUInt32BE(0, 8)
    const records = found.map((bytes) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]))
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

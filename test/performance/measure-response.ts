import type { FastifyInstance, InjectOptions } from 'fastify'
import { measureEventLoopBlock } from './measure-event-loop-block.ts'

/**
 * Sends a request. Returns its response, and the longest time in milliseconds for which the server blocked the event
 * loop. The response is joined after that: for megabytes, the test would otherwise block longer than the server.
 */
export async function measureResponse(
  { server }: { server: Pick<FastifyInstance, 'inject'> },
  request: InjectOptions,
): Promise<{ status: number; text: string; stallMs: number }> {
  const chunks: Buffer[] = []
  let status = 0
  const stallMs = await measureEventLoopBlock(async () => {
    const response = await server.inject({ ...request, payloadAsStream: true })
    status = response.statusCode
    for await (const chunk of response.stream()) chunks.push(chunk as Buffer)
  })
  return { status, text: Buffer.concat(chunks).toString(), stallMs }
}

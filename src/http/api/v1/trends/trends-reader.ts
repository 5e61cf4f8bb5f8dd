import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../../domain/context.ts'
import { languageOf } from '../../../support/response/send-page.ts'

/** Returns the viewer of a list of trends (null = anonymous) and the main language of the request. */
export function trendsReaderOf(
  ctx: Pick<Ctx, 'config'>,
  request: FastifyRequest,
): { viewerId: string | null; language: string } {
  return {
    viewerId: request.viewer?.accountId ?? null,
    language: languageOf(ctx, request).split('-')[0]!.toLowerCase(),
  }
}

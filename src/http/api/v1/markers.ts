import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { MARKED_TIMELINES, readMarkers, saveMarkers } from '../../../domain/markers.ts'
import type { MarkedTimeline, MarkerRow } from '../../../domain/markers.ts'
import { Marker } from '../../../entities/marker.ts'
import { ref } from '../../../entities/ref.ts'
import { ValidationFailed } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'

const Position = Type.Optional(Type.Object({ last_read_id: Type.Optional(Type.String()) }))

const Markers = Type.Object(
  { home: Type.Optional(ref(Marker)), notifications: Type.Optional(ref(Marker)) },
  { description: 'Of the places that were asked about, those that were ever marked.' },
)

/** How far one has read, so that all one's clients know. */
export async function markers(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['timelines'],
        summary: 'See how far I have read',
        querystring: Type.Object({
          timeline: Type.Optional(Type.Array(Type.String(), { description: '`home` and `notifications`.' })),
        }),
        response: { 200: Markers },
      },
    },
    async (request) => {
      const { timeline = [] } = request.query
      const timelines = MARKED_TIMELINES.filter((name) => timeline.includes(name))
      return present(await readMarkers(ctx, { accountId: viewerOf(request).accountId, timelines }))
    },
  )

  api.post(
    '',
    {
      schema: {
        tags: ['timelines'],
        summary: 'Say how far I have read',
        description: 'Answers 409 when another client said so at the same moment.',
        body: Type.Object({ home: Position, notifications: Position }),
        response: { 200: Markers },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const positions = new Map<MarkedTimeline, string>()
      for (const name of MARKED_TIMELINES) {
        const id = request.body[name]?.last_read_id
        if (id === undefined || id === '') continue
        if (!isId(id))
          throw new ValidationFailed([{ attribute: 'last_read_id', code: 'ERR_INVALID', text: 'is not an id' }])
        positions.set(name, id)
      }
      return present(await ctx.write((tx) => saveMarkers(tx, { accountId, positions })))
    },
  )
}

function present(rows: readonly MarkerRow[]): Partial<Record<MarkedTimeline, Marker>> {
  return Object.fromEntries(
    rows.map(({ timeline, last_read_id, version, updated_at }) => [
      timeline,
      { last_read_id, version, updated_at: updated_at.toISOString() },
    ]),
  )
}

import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { MARKER_TIMELINES, findMarkers, saveMarkers } from '../../../../domain/core/markers.ts'
import type { MarkerTimeline, MarkerRow } from '../../../../domain/core/markers.ts'
import { Marker } from '../../../../entities/notifications/marker.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ValidationError } from '../../../../lib/errors.ts'
import { isId } from '../../../../lib/ids.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'

const MarkerPosition = Type.Optional(Type.Object({ last_read_id: Type.Optional(Type.String()) }))

const Markers = Type.Object(
  { home: Type.Optional(ref(Marker)), notifications: Type.Optional(ref(Marker)) },
  { description: 'The requested timelines that have a saved position.' },
)

/** Mastodon: GET and POST /api/v1/markers. Read positions, shared by all clients of a user. */
export async function markers(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['timelines'],
        summary: 'Get saved timeline positions',
        querystring: Type.Object({
          timeline: Type.Optional(Type.Array(Type.String(), { description: '`home` and `notifications`.' })),
        }),
        response: { 200: Markers },
      },
    },
    async (request) => {
      const { timeline = [] } = request.query
      const timelines = MARKER_TIMELINES.filter((name) => timeline.includes(name))
      return renderMarkers(await findMarkers(ctx, { accountId: viewerOf(request).accountId, timelines }))
    },
  )

  api.post(
    '',
    {
      schema: {
        tags: ['timelines'],
        summary: 'Save your position in timelines',
        description: '409 when another client saves a position at the same time.',
        body: Type.Object({ home: MarkerPosition, notifications: MarkerPosition }),
        response: { 200: Markers },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const positions = new Map<MarkerTimeline, string>()
      for (const name of MARKER_TIMELINES) {
        const id = request.body[name]?.last_read_id
        if (id === undefined || id === '') continue
        if (!isId(id))
          throw new ValidationError([{ attribute: 'last_read_id', code: 'ERR_INVALID', text: 'is not an id' }])
        positions.set(name, id)
      }
      return renderMarkers(await ctx.write((tx) => saveMarkers(tx, { accountId, positions })))
    },
  )
}

function renderMarkers(rows: readonly MarkerRow[]): Partial<Record<MarkerTimeline, Marker>> {
  return Object.fromEntries(
    rows.map(({ timeline, last_read_id, version, updated_at }) => [
      timeline,
      { last_read_id, version, updated_at: updated_at.toISOString() },
    ]),
  )
}

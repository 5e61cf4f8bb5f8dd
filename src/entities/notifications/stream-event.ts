import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { oneOf } from '../schema/one-of.ts'

export const StreamEvent = Type.Object(
  {
    stream: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: 2,
      description: 'The name of the stream, then the list id or tag of the subscription.',
    }),
    event: oneOf([
      'update',
      'status.update',
      'delete',
      'notification',
      'notifications_merged',
      'conversation',
      'filters_changed',
      'announcement',
      'announcement.reaction',
      'announcement.delete',
    ]),
    payload: Type.Optional(
      Type.String({ description: 'An entity as a JSON string, or an id. Absent for `filters_changed`.' }),
    ),
  },
  { $id: 'StreamEvent', description: 'A message of the streaming API (WebSocket).' },
)
export type StreamEvent = Static<typeof StreamEvent>

export const StreamError = Type.Object(
  { error: Type.String(), status: Type.Integer({ description: '400 or 401.' }) },
  { $id: 'StreamError', description: 'The response on the WebSocket to a rejected subscription.' },
)
export type StreamError = Static<typeof StreamError>

export const AnnouncementReaction = Type.Object(
  {
    name: Type.String(),
    count: Type.Integer(),
    announcement_id: Id,
    url: Type.Optional(Type.String({ description: 'Only for custom emojis.' })),
    static_url: Type.Optional(Type.String({ description: 'Only for custom emojis.' })),
  },
  { $id: 'AnnouncementReaction', description: 'The payload of `announcement.reaction`.' },
)
export type AnnouncementReaction = Static<typeof AnnouncementReaction>

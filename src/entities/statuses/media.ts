import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'

const Measures = Type.Object({
  width: Type.Optional(Type.Integer({ description: 'Pixels.' })),
  height: Type.Optional(Type.Integer({ description: 'Pixels.' })),
  size: Type.Optional(Type.String({ description: '`WIDTHxHEIGHT`, for static images.' })),
  aspect: Type.Optional(Type.Number({ description: 'Width divided by height.' })),
  frame_rate: Type.Optional(Type.String({ description: 'Frames per second as a fraction, for example `30/1`.' })),
  duration: Type.Optional(Type.Number({ description: 'Seconds.' })),
  bitrate: Type.Optional(Type.Integer({ description: 'Bits per second.' })),
})

const MediaMeta = Type.Object({
  original: Type.Optional(Measures),
  small: Type.Optional(Measures),
  focus: Type.Optional(
    Type.Object(
      { x: Type.Number({ minimum: -1, maximum: 1 }), y: Type.Number({ minimum: -1, maximum: 1 }) },
      { description: 'The focal point, which cropping keeps visible. 0, 0 is the center.' },
    ),
  ),
  colors: Type.Optional(
    Type.Object(
      { background: Type.String(), foreground: Type.String(), accent: Type.String() },
      { description: 'Colors of a custom thumbnail or of the cover art of an audio file, as `#rrggbb`.' },
    ),
  ),
})

export const MediaAttachment = Type.Object(
  {
    id: Id,
    type: oneOf(['image', 'gifv', 'video', 'audio', 'unknown']),
    url: nullable(Type.String(), { description: 'Null while the server processes the file.' }),
    preview_url: nullable(Type.String()),
    remote_url: nullable(Type.String(), { description: 'URL of the file on its origin server.' }),
    preview_remote_url: nullable(Type.String()),
    text_url: Type.Null({ deprecated: true }),
    meta: nullable(MediaMeta),
    description: nullable(Type.String(), { description: 'The alternative text.' }),
    blurhash: nullable(Type.String()),
  },
  { $id: 'MediaAttachment' },
)
export type MediaAttachment = Static<typeof MediaAttachment>

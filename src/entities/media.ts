import { type Static, Type } from 'typebox'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'

const Measures = Type.Object({
  width: Type.Optional(Type.Integer({ description: 'Pixels.' })),
  height: Type.Optional(Type.Integer({ description: 'Pixels.' })),
  size: Type.Optional(Type.String({ description: '`WIDTHxHEIGHT`, of still pictures.' })),
  aspect: Type.Optional(Type.Number({ description: 'Width by height.' })),
  frame_rate: Type.Optional(Type.String({ description: 'Frames per second as a fraction, such as `30/1`.' })),
  duration: Type.Optional(Type.Number({ description: 'Seconds.' })),
  bitrate: Type.Optional(Type.Integer({ description: 'Bits per second.' })),
})

const MediaMeta = Type.Object({
  original: Type.Optional(Measures),
  small: Type.Optional(Measures),
  focus: Type.Optional(
    Type.Object(
      { x: Type.Number({ minimum: -1, maximum: 1 }), y: Type.Number({ minimum: -1, maximum: 1 }) },
      { description: 'The point to keep in view when the picture is cropped; 0, 0 is its middle.' },
    ),
  ),
  colors: Type.Optional(
    Type.Object(
      { background: Type.String(), foreground: Type.String(), accent: Type.String() },
      { description: 'Taken from the cover art of a sound, as `#rrggbb`.' },
    ),
  ),
})

export const MediaAttachment = Type.Object(
  {
    id: Id,
    type: oneOf(['image', 'gifv', 'video', 'audio', 'unknown']),
    url: nullable(Type.String(), { description: 'Null while the file is being processed.' }),
    preview_url: nullable(Type.String()),
    remote_url: nullable(Type.String(), { description: 'Where the file lies on the server it came from.' }),
    preview_remote_url: nullable(Type.String()),
    text_url: Type.Null({ deprecated: true }),
    meta: nullable(MediaMeta),
    description: nullable(Type.String(), { description: 'The alternative text.' }),
    blurhash: nullable(Type.String()),
  },
  { $id: 'MediaAttachment' },
)
export type MediaAttachment = Static<typeof MediaAttachment>

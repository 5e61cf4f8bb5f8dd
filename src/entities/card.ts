import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'
import { ref } from './ref.ts'
import { DailyUse } from './tag.ts'
import { DateTime } from './time.ts'

/** Fields that are equal for all viewers. */
export const PreviewCardShared = Type.Object({
  url: Type.String(),
  title: Type.String(),
  description: Type.String(),
  language: nullable(Type.String()),
  type: oneOf(['link', 'photo', 'video', 'rich']),
  author_name: Type.String({ deprecated: true }),
  author_url: Type.String({ deprecated: true }),
  provider_name: Type.String(),
  provider_url: Type.String(),
  html: Type.String({ description: 'The player, of videos and rich pages.' }),
  width: Type.Integer({ description: 'Pixels.' }),
  height: Type.Integer({ description: 'Pixels.' }),
  image: nullable(Type.String()),
  image_description: Type.String(),
  embed_url: Type.String({ description: 'The picture itself, of photos.' }),
  blurhash: nullable(Type.String()),
  published_at: nullable(DateTime),
})
export type PreviewCardShared = Static<typeof PreviewCardShared>

/** Fields that differ between viewers, and nested entities that have such fields. */
export const PreviewCardForViewer = Type.Object({
  authors: Type.Array(
    Type.Object({
      name: Type.String(),
      url: Type.String(),
      account: nullable(ref(Account), {
        description: 'When the author is known as an account that allows the attribution.',
      }),
    }),
  ),
  missing_attribution: Type.Optional(
    Type.Boolean({
      description: 'The page names the caller as its author, but its domain is not among their `attribution_domains`.',
    }),
  ),
})
export type PreviewCardForViewer = Static<typeof PreviewCardForViewer>

export const PreviewCard = Type.Object(
  { ...PreviewCardShared.properties, ...PreviewCardForViewer.properties },
  { $id: 'PreviewCard' },
)
export type PreviewCard = Static<typeof PreviewCard>

export const TrendsLink = Type.Object(
  {
    ...PreviewCard.properties,
    history: Type.Array(ref(DailyUse), { description: 'Seven days, newest first.' }),
  },
  { $id: 'TrendsLink' },
)
export type TrendsLink = Static<typeof TrendsLink>

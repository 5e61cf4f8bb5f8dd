import { type Static, Type } from 'typebox'
import { nullable } from '../schema/nullable.ts'

export const OEmbed = Type.Object(
  {
    type: Type.Literal('rich'),
    version: Type.Literal('1.0'),
    title: Type.String(),
    author_name: Type.String(),
    author_url: Type.String(),
    provider_name: Type.String(),
    provider_url: Type.String(),
    cache_age: Type.Integer({ description: 'Seconds.' }),
    html: Type.String(),
    width: Type.Integer({ description: 'Pixels.' }),
    height: nullable(Type.Integer(), { description: 'Pixels. Null if it depends on the content.' }),
  },
  { $id: 'OEmbed' },
)
export type OEmbed = Static<typeof OEmbed>

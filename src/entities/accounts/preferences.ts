import { type Static, Type } from 'typebox'
import { QuotePolicy } from '../statuses/approval.ts'
import { oneOf } from '../schema/one-of.ts'

export const Preferences = Type.Object(
  {
    'posting:default:visibility': oneOf(['public', 'unlisted', 'private']),
    'posting:default:sensitive': Type.Boolean(),
    'posting:default:language': Type.String(),
    'posting:default:quote_policy': QuotePolicy,
    'reading:expand:media': oneOf(['default', 'show_all', 'hide_all']),
    'reading:expand:spoilers': Type.Boolean(),
    'reading:autoplay:gifs': Type.Boolean(),
  },
  { $id: 'Preferences' },
)
export type Preferences = Static<typeof Preferences>

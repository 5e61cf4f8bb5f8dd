import { Type } from 'typebox'
import { oneOf } from './one-of.ts'

export const FeatureApproval = Type.Object(
  {
    automatic: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy', 'disabled'])),
    manual: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy'])),
    current_user: oneOf(['automatic', 'manual', 'denied', 'missing', 'unknown'], {
      description: 'What the caller would achieve.',
    }),
  },
  { $id: 'FeatureApproval', description: 'Who may put the account into a collection, at once or after being asked.' },
)

export const QuoteApproval = Type.Object(
  {
    automatic: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy'])),
    manual: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy'])),
    current_user: oneOf(['automatic', 'manual', 'denied', 'unknown'], {
      description: 'What the caller would achieve.',
    }),
  },
  { $id: 'QuoteApproval', description: 'Who may quote the post, at once or after being asked.' },
)

/** Who may quote a status without asking. */
export const QuotePolicy = oneOf(['public', 'followers', 'nobody'])

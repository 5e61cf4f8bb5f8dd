import { Type } from 'typebox'
import { oneOf } from '../schema/one-of.ts'

export const FeatureApproval = Type.Object(
  {
    automatic: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy', 'disabled'])),
    manual: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy'])),
    current_user: oneOf(['automatic', 'manual', 'denied', 'missing', 'unknown'], {
      description: "The result of the caller's request.",
    }),
  },
  {
    $id: 'FeatureApproval',
    description: 'Who may add the account to a collection, automatically or after manual approval.',
  },
)

export const QuoteApproval = Type.Object(
  {
    automatic: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy'])),
    manual: Type.Array(oneOf(['public', 'followers', 'following', 'unsupported_policy'])),
    current_user: oneOf(['automatic', 'manual', 'denied', 'unknown'], {
      description: "The result of the caller's request.",
    }),
  },
  { $id: 'QuoteApproval', description: 'Who may quote the status, automatically or after manual approval.' },
)

/** Who may quote a status without manual approval. */
export const QuotePolicy = oneOf(['public', 'followers', 'nobody'])

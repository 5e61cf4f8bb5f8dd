/**
 * A translation of the error texts of the API. The keys are the English texts, in which `{0}` is a placeholder, for
 * example for a number. A text without a translation remains English.
 */
export interface ErrorTexts {
  /** The text around the problems of fields. */
  validationFailed: string
  messages: Readonly<Record<Message, string>>
  /** Texts that follow the name of a field. */
  problems: Readonly<Record<Problem, string>>
  /** The names of fields. */
  attributes: Readonly<Record<Attribute, string>>
}

type Message =
  | 'Record not found'
  | 'Bad request'
  | 'The access token is invalid'
  | 'The access token was revoked'
  | 'This action is not allowed'
  | 'This action is outside the authorized scopes'
  | 'This method requires an authenticated user'
  | 'Your login is missing a confirmed e-mail address'
  | 'Your login is currently pending approval'
  | 'Your login is currently disabled'
  | 'Conflict during update, please try again'
  | 'Gone'
  | 'Request body is too large'
  | 'Too many requests'
  | 'There was a temporary problem serving your request, please try again'
  | 'There is no room left to store the file'
  | 'An unexpected error occurred'
  | 'Duplicate record'
  | 'The post you are trying to reply to does not appear to exist.'
  | 'The post you are trying to quote does not appear to exist.'
  | 'Following your own account is not allowed'
  | 'You have reached the maximum number of lists'
  | 'You cannot have more than {0} filters'
  | 'You cannot follow more than {0} people'
  | 'Cannot attach more than {0} files'
  | 'Cannot attach a video to a post that already contains images'
  | 'Cannot attach files that have not finished processing. Try again in a moment!'
  | 'Media attachment is currently used by a status'
  | 'Error processing thumbnail for uploaded media'
  | 'One of the scopes is unknown'
  | 'param is missing or the value is empty or invalid: {0}'
  | 'This method is only available while the e-mail is awaiting confirmation'
  | 'The search takes too long; say more of what you are looking for'
  | "Validation failed: Someone else's post cannot be pinned"
  | 'Validation failed: A boost cannot be pinned'
  | 'Validation failed: Posts that are only visible to mentioned users cannot be pinned'
  | 'Validation failed: You have already pinned the maximum number of posts'
  | 'Validation failed: The poll has already ended'
  | 'Validation failed: You have already voted on this poll'
  | 'Validation failed: You must be already following the person you want to endorse'
  | 'Validation failed: Name is not a recognized emoji'
  | 'Validation failed: Limit of different reactions reached'
  | 'Validation failed: No more than {0} hashtags can be featured'

type Problem =
  | "can't be blank"
  | 'is invalid'
  | 'has already been taken'
  | 'is of an e-mail provider that is not allowed'
  | 'is not included in the list'
  | 'is too long (maximum is {0} characters)'
  | 'is too short (minimum is {0} characters)'
  | 'character limit of {0} exceeded'
  | 'exceed the maximum of {0}'
  | 'must have more than one item'
  | "can't contain more than {0} items"
  | "can't be longer than {0} characters each"
  | 'contain duplicate items'
  | 'is too far into the future'
  | 'is too soon'
  | 'is reserved'
  | 'is not allowed'
  | 'must be accepted'
  | 'must contain only letters, numbers and underscores'
  | 'must have a label'
  | 'is not a valid URL'
  | 'does not reference valid rules'

type Attribute =
  | 'text'
  | 'username'
  | 'email'
  | 'password'
  | 'agreement'
  | 'reason'
  | 'locale'
  | 'language'
  | 'title'
  | 'name'
  | 'display_name'
  | 'note'
  | 'fields'
  | 'options'
  | 'expires_at'
  | 'choices'
  | 'comment'
  | 'description'
  | 'scheduled_at'
  | 'keyword'
  | 'context'
  | 'status'
  | 'account'
  | 'domain'
  | 'privacy'
  | 'visibility'
  | 'file'
  | 'rule_ids'

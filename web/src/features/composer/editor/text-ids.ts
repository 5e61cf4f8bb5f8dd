/** The id of the text field of a post in the composer. */
export const textIdOf = (postKey: string): string => `text-${postKey}`

import { flushSync } from 'react-dom'

/**
 * Gives a field another text and places the cursor in it. Both happen before the next key, because the user may type on.
 */
export function replaceText(
  field: HTMLTextAreaElement,
  { text, cursor }: { text: string; cursor: number },
  onChange: (text: string) => void,
): void {
  flushSync(() => onChange(text))
  field.focus()
  field.setSelectionRange(cursor, cursor)
}

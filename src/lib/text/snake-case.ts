/** Returns a name of the program in snake case, as in the API: `manageUsers` → `manage_users`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The libraries that only code generation needs; they are optional peers, so a missing one is named. */

/**
 * @param name of the package
 * @param load `() => import(name)`, written out so that bundlers see it
 * @throws Error that names the package to install
 */
export async function optionalPeer<T>(name: string, load: () => Promise<unknown>): Promise<T> {
  try {
    return (await load()) as T;
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(`this needs the package ${name}: npm install --save-dev ${name}`, { cause: error });
  }
}

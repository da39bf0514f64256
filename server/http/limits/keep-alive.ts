/**
 * How long an idle connection stays open. Must exceed the idle timeout of common load balancers, 60 s. Otherwise this
 * server might close an idle connection just when the load balancer sends a request on it.
 */
export const keepAliveMsMax = 75_000;

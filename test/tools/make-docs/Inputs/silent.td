include "dialects/ced/CedBase.td"

def Silent : Ced_Op<"silent">;

# What the model is: no MLIR, so that it compiles fast and anything may use it. Fuzz targets compile it once more (test/fuzz).
set(modelSources CheckCheckpoint.cpp ConfigFields.cpp ConfigReader.cpp EngramHash.cpp LayerTable.cpp ModelConfig.cpp NumpyRandom.cpp
    Plausibility.cpp RopeForms.cpp ScriptConfig.cpp TensorNames.cpp)
